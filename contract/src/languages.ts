/** Languages of the interface by their tag (BCP 47), each with its own name for itself. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  'zh-CN': '简体中文',
  ar: 'العربية',
} as const

export type Language = keyof typeof languages

// The keys of an object literal.
export const languageTags = Object.keys(languages) as Language[]

/** Languages that are written from right to left. */
const rightToLeft: readonly string[] = ['ar']

export const directionOf = (language: Language) => (rightToLeft.includes(language) ? 'rtl' : 'ltr')

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)
