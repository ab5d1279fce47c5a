const two = (value: number) => String(value).padStart(2, '0')

function clockOf(wholeSeconds: number): string {
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60]
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(wholeSeconds % 60)}`
    : `${minutes}:${two(wholeSeconds % 60)}`
}

/** A time to the tenth of a second: "0:07.4", "12:30.0", "1:02:03.5". */
export function formatTenths(seconds: number): string {
  const tenths = Math.max(0, Math.round(seconds * 10))
  return `${clockOf(Math.floor(tenths / 10))}.${tenths % 10}`
}

/** A time to the millisecond, which names a frame: "0:07.440", "1:02:03.500". */
export function formatFrameTime(seconds: number): string {
  const milliseconds = Math.max(0, Math.round(seconds * 1000))
  return `${clockOf(Math.floor(milliseconds / 1000))}.${String(milliseconds % 1000).padStart(3, '0')}`
}

/** A time of the ruler: "1:05", with tenths where its steps are that small. */
export const formatTick = (seconds: number, stepSeconds: number): string =>
  stepSeconds < 1 ? formatTenths(seconds) : clockOf(Math.round(seconds))
