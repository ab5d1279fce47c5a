import { storagePrefixes } from '../../storage-keys.ts'
/**
 * Key of the hidden mark of a video or picture. A reverse proxy that serves files must ask the server about marked
 * ones.
 */
export const hiddenKey = (id: string) => `${storagePrefixes.hidden}${id}`

export const idOfHidden = (key: string) => key.slice(storagePrefixes.hidden.length)
