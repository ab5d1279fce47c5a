/** File name for a downloaded video: its title, with the extension of its address. */
export function downloadName(title: string, url: string): string {
  return `${title}${/\.\w+$/.exec(url)?.[0] ?? ''}`
}
