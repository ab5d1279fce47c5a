/**
 * A seccomp filter for bubblewrap (`--seccomp`): denies system calls that decoding never makes and that have been used
 * to escape sandboxes. In classic BPF, as seccomp(2) describes it.
 */

/** Numbers of system calls, from Linux's tables: [x86_64, aarch64]. */
export const deniedSyscalls: Record<string, [number, number]> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_by_handle_at: [304, 265],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
}
const clone: [number, number] = [56, 220]
const socket: [number, number] = [41, 198]
const clone3 = 435

const EPERM = 1
const ENOSYS = 38
const [ALLOW, KILL, ERRNO] = [0x7fff0000, 0x80000000, 0x00050000]
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000
/** Bit of the system calls of the x32 ABI, which have numbers of their own. */
const X32 = 0x40000000
const AF_UNIX = 1
/** Unix, IPv4, IPv6, and netlink, by which resolvers list interfaces. */
const NETWORK_FAMILIES = [AF_UNIX, 2, 10, 16]

/** Offsets in `struct seccomp_data`; for arguments the lower half. */
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT] = [0, 4, 16]

const load = (offset: number) => instruction(0x20, 0, 0, offset)
const result = (value: number) => instruction(0x06, 0, 0, value)
/** Skips instructions unless the loaded word equals the value or has any of the bits. */
const unlessEqual = (value: number, skipped: number) => instruction(0x15, 0, skipped, value)
const unlessAnyBit = (bits: number, skipped: number) => instruction(0x45, 0, skipped, bits)
const ifEqual = (value: number, skipped: number) => instruction(0x15, skipped, 0, value)

/** The filter as bubblewrap reads it; undefined for processors without a table above. */
export function seccompFilter(
  options: { hasNetwork: boolean },
  arch: string = process.arch,
): Buffer | undefined {
  const column = arch === 'x64' ? 0 : arch === 'arm64' ? 1 : undefined
  if (column === undefined) return undefined
  const families = options.hasNetwork ? NETWORK_FAMILIES : [AF_UNIX]
  return Buffer.concat([
    load(ARCHITECTURE),
    ifEqual(column === 0 ? 0xc000003e : 0xc00000b7, 1),
    result(KILL),
    load(NUMBER),
    ...(column === 0 ? [unlessAnyBit(X32, 1), result(ERRNO | ENOSYS)] : []),
    ...Object.values(deniedSyscalls).flatMap((numbers) => [
      unlessEqual(numbers[column], 1),
      result(ERRNO | EPERM),
    ]),
    // its flags are in memory, which no filter can read; programs then use clone
    unlessEqual(clone3, 1),
    result(ERRNO | ENOSYS),
    unlessEqual(clone[column], 4),
    load(FIRST_ARGUMENT),
    unlessAnyBit(NEW_NAMESPACES, 1),
    result(ERRNO | EPERM),
    result(ALLOW),
    unlessEqual(socket[column], 2 + families.length),
    load(FIRST_ARGUMENT),
    ...families.map((family, at) => ifEqual(family, families.length - at)),
    result(ERRNO | EPERM),
    result(ALLOW),
  ])
}

/** `struct sock_filter`. */
function instruction(code: number, ifTrue: number, ifFalse: number, operand: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(operand >>> 0, 4)
  return bytes
}
