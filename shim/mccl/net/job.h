// What the launcher's environment tells of the job.
#pragma once

namespace musashim::mccl {

// Whether Open MPI, MPICH, Slurm or torchrun say that all processes of the job run on this host.
bool isJobOfOneHost();

}  // namespace musashim::mccl
