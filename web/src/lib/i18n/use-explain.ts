import { useEffect, useState } from 'react'
import { pageLanguage } from './language.ts'
import { keepMessage, type ErrorTranslator, loadExplain } from './translate-error.ts'

/** Explains failures in successful responses, in English until the errors of the language have loaded. */
export function useExplain(): ErrorTranslator {
  const [explain, setExplain] = useState<ErrorTranslator>(() => keepMessage)
  useEffect(() => {
    void loadExplain(pageLanguage).then((loaded) => setExplain(() => loaded))
  }, [])
  return explain
}
