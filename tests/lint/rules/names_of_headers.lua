-- Names -> the headers that give them, for the rule `includes`.

-- Header -> names of namespace std. A header counts for what its own interface consists of, too.
local containers = "begin end move pair size size_t ssize swap "
local of_std = {
  algorithm = [[adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range
    fill fill_n find find_if find_if_not generate includes inplace_merge is_sorted lower_bound max
    max_element merge min min_element minmax_element mismatch move none_of nth_element partial_sort
    partition_point pop_heap push_heap ranges replace replace_if reverse rotate search set_difference
    set_intersection sort stable_partition stable_sort transform unique upper_bound]],
  array = containers .. "array get tuple_size_v",
  atomic = [[atomic atomic_signal_fence memory_order_acquire memory_order_relaxed memory_order_release
    memory_order_seq_cst]],
  barrier = "barrier",
  bit = "bit_cast bit_floor bit_width countr_zero endian popcount",
  cctype = "toupper",
  cfenv = "fegetround feraiseexcept fesetenv fesetround fetestexcept",
  charconv = "chars_format errc from_chars to_chars",
  chrono = "chrono milli",
  clocale = "setlocale",
  cmath = [[abs ceil copysign erfc exp exp2 expm1 fabs floor fma fmax fmin fmod fpclassify frexp hypot
    ilogb isfinite isinf isnan isnormal ldexp lerp lgamma llround log log10 log1p log2 lround nan nanf
    nextafter pow round scalbn signbit sin sqrt tanh trunc]],
  compare = "partial_ordering",
  concepts = "convertible_to copy_constructible floating_point integral same_as",
  condition_variable = "chrono condition_variable condition_variable_any",
  csignal = "raise signal",
  cstddef = "byte ptrdiff_t size_t",
  cstdint = [[int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t]],
  cstdio = [[FILE fclose ferror fflush fgets fopen fprintf fputc fputs fread fscanf fwrite printf putchar
    puts rename setvbuf size_t snprintf sscanf]],
  cstdlib = [[_Exit abort abs aligned_alloc at_quick_exit atexit calloc exit free getenv rand realloc size_t srand
    strtod strtoull system]],
  cstring = "memchr memcmp memcpy memset size_t strcmp strerror strlen strncmp",
  ctime = "strftime time_t tm",
  deque = containers .. "deque erase erase_if",
  exception = [[current_exception exception exception_ptr get_terminate rethrow_exception set_terminate
    terminate_handler]],
  filesystem = "error_code filesystem",
  fstream = "fstream ifstream ios ofstream ostream streamsize",
  functional = "cref equal_to function greater greater_equal hash less move not_equal_to",
  future = "future future_status move packaged_task promise",
  initializer_list = "begin end initializer_list",
  ios = "ios streamsize",
  iostream = "cerr cin cout ios ostream",
  iterator = [[back_inserter begin distance end istreambuf_iterator iterator_traits make_move_iterator
    make_reverse_iterator next prev size ssize]],
  limits = "numeric_limits",
  list = containers .. "erase erase_if list",
  locale = "locale numpunct",
  map = containers .. "erase erase_if less map multimap",
  memory = "make_shared make_unique make_unique_for_overwrite move shared_ptr unique_ptr weak_ptr",
  mutex = "call_once chrono defer_lock lock_guard mutex once_flag unique_lock",
  new = "align_val_t bad_alloc get_new_handler new_handler nothrow",
  numbers = "numbers",
  numeric = "accumulate exclusive_scan inner_product iota midpoint partial_sum",
  optional = "in_place move nullopt optional",
  ostream = "ios ostream streamsize",
  queue = "priority_queue",
  random = "mt19937",
  ranges = "ranges",
  regex = "regex regex_error regex_replace regex_search sregex_iterator",
  set = containers .. "erase erase_if less multiset set",
  shared_mutex = "shared_lock shared_mutex",
  span = "begin end size size_t span ssize",
  sstream = "ios istream istringstream ostream ostringstream stringstream",
  stdexcept = "exception length_error logic_error out_of_range runtime_error invalid_argument",
  stop_token = "stop_token",
  string = containers .. [[char_traits erase erase_if getline stod stoi stoll stoull string
    string_literals to_string]],
  string_view = "begin end size size_t string_view string_view_literals",
  system_error = "errc error_code generic_category system_error",
  thread = "chrono jthread move stop_token this_thread thread",
  tuple = "apply get move tie tuple tuple_cat tuple_size_v",
  type_traits = [[conditional_t decay_t invoke_result_t is_arithmetic_v is_enum_v is_floating_point_v
    is_integral_v is_same_v is_trivially_copyable_v is_trivially_destructible_v is_void_v make_unsigned_t
    remove_cv_t remove_cvref_t type_identity]],
  unordered_map = containers .. "equal_to erase erase_if hash unordered_map",
  unordered_set = containers .. "equal_to erase erase_if hash unordered_set",
  utility = [[as_const exchange get in_place in_range index_sequence make_index_sequence make_pair move
    pair size_t swap]],
  variant = "get get_if holds_alternative monostate move variant visit",
  vector = containers .. "erase erase_if vector",
}

-- The same of C and POSIX; names that are not here are not checked.
local of_c = {
  ["assert.h"] = "assert",
  cassert = "assert",
  cerrno = "EAGAIN EEXIST EINTR ENOENT EPERM EWOULDBLOCK errno",
  csignal = [[::kill ::pthread_sigmask ::sigaction ::sigemptyset ::sigfillset SIGBUS SIGINT SIGKILL SIGSEGV
    SIGTERM SIGVTALRM SIGXCPU]],
  cstddef = "size_t",
  cstdint = "INT32_MAX INT64_MAX INT64_MIN SIZE_MAX UINT32_MAX int32_t int64_t uint32_t uint64_t uint8_t",
  cstdlib = "::setenv ::unsetenv ::secure_getenv",
  ["dlfcn.h"] = "::dladdr ::dlclose ::dlerror ::dlinfo ::dlopen ::dlsym RTLD_LOCAL RTLD_NOW",
  ["errno.h"] = "EAGAIN EEXIST EINTR ENOENT EPERM EWOULDBLOCK errno",
  ["fcntl.h"] = "::fcntl ::open O_APPEND O_CLOEXEC O_CREAT O_EXCL O_NONBLOCK O_RDONLY O_RDWR O_TRUNC O_WRONLY",
  ["poll.h"] = "::poll POLLIN POLLOUT",
  ["signal.h"] = [[::kill ::pthread_sigmask ::sigaction ::sigemptyset ::sigfillset SIGBUS SIGINT SIGKILL
    SIGSEGV SIGTERM SIGVTALRM SIGXCPU]],
  ["spawn.h"] = "::posix_spawn",
  ["stddef.h"] = "size_t",
  ["stdint.h"] = "INT32_MAX INT64_MAX INT64_MIN SIZE_MAX UINT32_MAX int32_t int64_t uint32_t uint64_t uint8_t",
  ["stdlib.h"] = "::setenv ::unsetenv ::secure_getenv",
  ["sys/file.h"] = "::flock",
  ["sys/mman.h"] = [[::madvise ::memfd_create ::mmap ::mprotect ::munmap MAP_FAILED MAP_PRIVATE MAP_SHARED
    PROT_READ PROT_WRITE]],
  ["sys/resource.h"] = "::getrlimit ::setrlimit RLIMIT_AS RLIMIT_CORE RLIMIT_CPU",
  ["sys/socket.h"] = "::recv ::recvmsg ::send ::sendmsg ::socketpair",
  ["sys/stat.h"] = "::chmod ::fstat ::mkfifo ::stat ::umask S_ISFIFO S_ISREG",
  ["sys/wait.h"] = "::waitpid WEXITSTATUS WIFEXITED WIFSIGNALED WTERMSIG",
  ["time.h"] = "::clock_gettime ::timer_create",
  ctime = "::clock_gettime ::timer_create",
  ["unistd.h"] = [[::access ::alarm ::close ::dup2 ::fork ::fsync ::ftruncate ::getpid ::pipe2 ::pread ::read
    ::sysconf ::unlink ::write STDERR_FILENO STDIN_FILENO STDOUT_FILENO]],
}

-- Name -> sorted headers.
local headers = {}
for prefix, names in pairs { ["std::"] = of_std, [""] = of_c } do
  for header, listed in pairs(names) do
    for name in listed:gmatch("%S+") do
      headers[prefix .. name] = headers[prefix .. name] or {}
      table.insert(headers[prefix .. name], header)
    end
  end
end
for _, list in pairs(headers) do table.sort(list) end
return headers
