import { queryOptions } from '@tanstack/react-query'
import { videoFileKeys } from '../../../../lib/watch-keys.ts'

/** Succeeds once a sprite sheet is decoded and can be drawn without delay. */
export function spriteSheetQuery(sheetUrl: string) {
  return queryOptions({
    queryKey: videoFileKeys.storyboardSheet(sheetUrl),
    queryFn: async () => {
      const image = new Image()
      image.src = sheetUrl
      await image.decode()
      return true
    },
    staleTime: Infinity,
  })
}
