#!/bin/bash
export CUDA_LAUNCH_BLOCKING=1
python3 train.py --epochs 90
