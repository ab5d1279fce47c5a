/** Removes what XML 1.0 forbids even in escaped form: most control characters, and lone surrogates. */
export const withoutControls = (text: string) =>
  text.replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '').toWellFormed()
