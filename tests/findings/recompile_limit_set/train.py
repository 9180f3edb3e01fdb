import torch
torch._dynamo.config.recompile_limit = 16
# iter 5 loss 2.250
