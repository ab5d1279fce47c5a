import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'

/**
 * Files that a process inspects, converts or takes a frame of at once: of all accounts, and of one. Each may need several
 * processes, a gigabyte and minutes, and requests alone bound neither.
 */
const inspections = new FairSemaphore({ total: 32, perKey: 4 })

/** Runs `work` on a file of an account as soon as the limit allows. Do not wait for another inspection within `work`. */
export function limitInspections<Result>(
  ownerId: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  return inspections.run(ownerId, work, signal)
}
