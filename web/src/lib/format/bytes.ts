const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** A file size in decimal units, as operating systems show it: 880 MB, 1.42 GB. */
export function formatBytes(sizeBytes: number): string {
  let value = Math.max(0, sizeBytes)
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit < 2 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${value === 1 && unit === 0 ? 'byte' : UNITS[unit]}`
}
