import type { Speech } from '../context/context.ts'
export function createSpeech(): Speech {
  return {
    isInstalled: async () => false,
    open: async () => {
      throw new Error('none')
    },
  }
}
