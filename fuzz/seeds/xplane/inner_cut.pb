
./device:GPU:0Stream #1(Compute)"ÿ"