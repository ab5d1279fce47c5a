const names = new Intl.DisplayNames(['en'], { type: 'language' })

/**
 * The shortest BCP 47 tag of a language that a file states: containers say `ger`, RFC 5646 `de`. Extensions and private
 * use are dropped, since `Intl.DisplayNames` has no names for them. Null for text that is no language tag.
 */
export function languageTag(stated: string | null | undefined): string | null {
  if (!/^[a-z]{2,3}(-|$)/i.test(stated ?? '')) return null
  try {
    const tag = new Intl.Locale(stated ?? '').baseName
    return tag === 'und' ? null : tag
  } catch {
    // `Intl.Locale` throws a RangeError for malformed tags.
    return null
  }
}

/** The English name of a language that a file states, or null if there is none. */
export function languageName(stated: string | null | undefined): string | null {
  const tag = languageTag(stated)
  return tag === null ? null : (names.of(tag) ?? null)
}
