import { useEffect, useState } from 'react'
import { pageLanguage } from './language.ts'
import { asSent, type Explain, loadExplain } from './translate-error.ts'

/** Explains failures in successful responses, in English until the errors of the language have loaded. */
export function useExplain(): Explain {
  const [explain, setExplain] = useState<Explain>(() => asSent)
  useEffect(() => {
    void loadExplain(pageLanguage).then((loaded) => setExplain(() => loaded))
  }, [])
  return explain
}
