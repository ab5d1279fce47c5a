import { useEffect, useState } from 'react'
import { pageLanguage } from './language.ts'
import { loadTranslate, type Translate, untranslated } from './translate-failure.ts'

/** Translates texts of the server in successful responses, which are English until the catalog of the language has loaded. */
export function useTranslate(): Translate {
  const [translate, setTranslate] = useState<Translate>(() => untranslated)
  useEffect(() => {
    void loadTranslate(pageLanguage).then((loaded) => setTranslate(() => loaded))
  }, [])
  return translate
}
