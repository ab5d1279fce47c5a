/** Least contrast of text, WCAG 2.2, 1.4.3. */
const readable = 4.5

/** Backgrounds on which the accent colour is text, as `web/src/styles/tokens.css` has them. */
const lightBackground = '#e9edec'
const darkBackground = '#22292b'

const channelsOf = (color: string) =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))

/** Relative luminance, WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio of two colours like `#00697a`, from 1 to 21. */
export function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** A colour mixed with a share of another one. */
function mix(color: string, other: string, share: number): string {
  const others = channelsOf(other)
  const mixed = channelsOf(color).map((channel, index) =>
    Math.round(channel * (1 - share) + (others[index] ?? 0) * share),
  )
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Whether text in the colour is readable on the light theme, and white text on the colour. */
export const isReadableAccent = (color: string) => contrast(color, lightBackground) >= readable

/** The tokens of both themes for an accent colour that is readable on the light one. The dark one has a lighter tint. */
export function accentTokens(color: string): { light: Record<string, string>; dark: Record<string, string> } {
  const shares = Array.from({ length: 20 }, (_, index) => index / 20)
  const tint =
    shares
      .map((share) => mix(color, '#ffffff', share))
      .find((candidate) => contrast(candidate, darkBackground) >= readable) ?? '#ffffff'
  return {
    light: {
      accent: color,
      'accent-hover': mix(color, '#000000', 0.24),
      'accent-soft': mix(color, '#ffffff', 0.88),
    },
    dark: {
      accent: tint,
      'accent-hover': mix(tint, '#ffffff', 0.3),
      'accent-soft': mix(tint, '#0e1213', 0.8),
    },
  }
}
