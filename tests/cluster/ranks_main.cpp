// The tests of all ranks: each runs the same ones together with the others, and rank 0 tells. What fails on
// one rank fails on all, by the exit code of mpirun.
#include <gtest/gtest.h>
#include <mpi.h>

#include "cluster/petsc.hpp"

namespace {

class OfOtherRanks : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank, result.file_name() ? result.file_name() : "",
                 result.line_number(), result.message());
  }
};

}  // namespace

int main(int argc, char** argv) {
  int level = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  testing::InitGoogleTest(&argc, argv);
  mercer::cluster::Petsc::start("");
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new OfOtherRanks);
  }
  const int failed = RUN_ALL_TESTS();
  mercer::cluster::Petsc::end();
  MPI_Finalize();
  return failed;
}
