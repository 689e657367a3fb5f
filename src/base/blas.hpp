// OpenBLAS runs one thread inside our own tiles: its results must not depend on the number of threads.
#pragma once

namespace mercer {

/// While one of these lives, OpenBLAS called from this thread uses this thread alone; the setting comes back
/// afterwards.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int previous_;
};

}  // namespace mercer
