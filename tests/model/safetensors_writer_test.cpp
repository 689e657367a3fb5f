#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "model/safetensors_files.hpp"
#include "model/safetensors_header.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;
using testing::write_example;

TEST(SafetensorsWriter, TheBytesAreTheFormat) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  const std::uint8_t bytes[] = {'x', 'y', 'z'};
  const std::int32_t codes[] = {1, 256};
  const double alpha[] = {1};
  write_safetensors(path, {{"b", "2"}, {"a", "\"1\""}},
                    {{"bytes", Dtype::u8, {3}, bytes},
                     {"codes", Dtype::i32, {1, 2}, codes},
                     {"al\"pha", Dtype::f64, {}, alpha}});
  const std::string header =
      R"({"__metadata__":{"a":"\"1\"","b":"2"},"al\"pha":{"dtype":"F64","shape":[],"data_offsets":[0,8]},)"
      R"("codes":{"dtype":"I32","shape":[1,2],"data_offsets":[8,16]},)"
      R"("bytes":{"dtype":"U8","shape":[3],"data_offsets":[16,19]}})";
  ASSERT_EQ(header.size(), 214u);
  EXPECT_EQ(Scratch::read(path), std::string("\xf8\0\0\0\0\0\0\0", 8) + header + std::string(248 - 214, ' ') +
                                     std::string("\0\0\0\0\0\0\xf0\x3f\x01\0\0\0\0\x01\0\0xyz", 19));
  write_safetensors(path, {}, {});
  EXPECT_EQ(Scratch::read(path), std::string("8\0\0\0\0\0\0\0{}", 10) + std::string(54, ' '));
}

TEST(SafetensorsWriter, EveryHeaderLengthIsPaddedTo64Bytes) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  for (std::size_t size = 0; size < 70; ++size) {
    write_safetensors(path, {{"k", std::string(size, 'v')}}, {});
    EXPECT_EQ(std::filesystem::file_size(path) % 64, 0u) << size;
    EXPECT_LE(std::filesystem::file_size(path), 8 + 25 + size + 63) << size;
    EXPECT_EQ(Safetensors(path).metadata().at("k").size(), size);
  }
}

TEST(SafetensorsWriter, TensorsAreAlignedAndTheSameBytesComeEachTime) {
  const Scratch scratch;
  write_example(scratch.path("a"));
  write_example(scratch.path("b"));
  const std::string bytes = Scratch::read(scratch.path("a"));
  EXPECT_EQ(bytes, Scratch::read(scratch.path("b")));
  for (const TensorView& tensor : parse_safetensors_header("a", bytes).tensors)
    EXPECT_EQ((static_cast<const char*>(tensor.data) - bytes.data()) %
                  std::ptrdiff_t(dtype_info(tensor.dtype).bytes),
              0)
        << tensor.name;
}

TEST(SafetensorsWriter, PythonReadsTheFile) {
  if (std::system("python3 -c 'import json, struct'") != 0)
    GTEST_SKIP() << "there is no python3 to read the file with";
  const Scratch scratch;
  write_example(scratch.path("a.mercer"));
  const std::string script = scratch.write("read.py", R"(import json, struct, sys
bytes = open(sys.argv[1], 'rb').read()
length, = struct.unpack('<Q', bytes[:8])
header, data = json.loads(bytes[8:8 + length]), bytes[8 + length:]
assert header.pop('__metadata__') == {'kernel': 'rbf(gamma=0.5)', 'label "\u00e9"\n': ''}
expected = {'alpha': ('d', [3, 1], (0.5, -1, 1e300)), 'none': ('d', [4, 0], ()), 'starts': ('q', [2], (-1, 2**40)),
            'weights': ('f', [1, 1], (1.5,)), 'scalar': ('f', [], (1.5,)), 'codes': ('i', [3], (7, -8, 9)),
            'bytes': ('B', [5], (1, 2, 3, 4, 255))}
code = {'F64': 'd', 'I64': 'q', 'F32': 'f', 'I32': 'i', 'U8': 'B'}
assert header.keys() == expected.keys()
end = 0
for name, tensor in header.items():
    begin, after = tensor['data_offsets']
    assert begin == end
    end = after
    type, shape, values = expected[name]
    assert (code[tensor['dtype']], tensor['shape']) == (type, shape)
    assert struct.unpack('<%d%s' % (len(values), type), data[begin:end]) == values
assert end == len(data) and (8 + length) % 64 == 0
)");
  EXPECT_EQ(std::system(("python3 " + script + " " + scratch.path("a.mercer")).c_str()), 0);
}

TEST(SafetensorsWriter, RefusesNamesAndTextsThatTheFormatCannotHold) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  const double one = 1;
  const TensorView x{"x", Dtype::f64, {1}, &one};
  const std::string twice = "is given twice or reserved; give each tensor a name of its own";
  EXPECT_EQ(refusal([&] { write_safetensors(path, {}, {x, x}); }), path + ": field 'x': " + twice);
  EXPECT_EQ(refusal([&] {
              write_safetensors(path, {}, {{"__metadata__", Dtype::f64, {1}, &one}});
            }),
            path + ": field '__metadata__': " + twice);
  EXPECT_EQ(refusal([&] {
              write_safetensors(path, {{"label", "\xe9"}}, {x});
            }),
            path + ": field 'label': '\xe9' is not UTF-8; model files hold UTF-8 text");
  EXPECT_EQ(refusal([&] {
              write_safetensors(path, {{"k", std::string(100'000'000, 'v')}}, {});
            }),
            path + ": names and texts need 100000056 bytes; the format holds 100000000 of them");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(SafetensorsWriter, AFullDiskLeavesTheOldFileAndNothingElse) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  write_example(path);
  const std::string before = Scratch::read(path);
  const std::vector<double> large(100'000);
  rlimit usual;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit small{4096, usual.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // the write then fails, as on a full disk
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = refusal([&] {
    write_safetensors(path, {}, {{"x", Dtype::f64, {large.size()}, large.data()}});
  });
  ::setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path + ": cannot be written: File too large");
  EXPECT_EQ(Scratch::read(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()), {}),
            1);
  if (::access("/dev/full", W_OK) == 0) {
    EXPECT_EQ(refusal([] { write_example("/dev/full"); }),
              "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace mercer
