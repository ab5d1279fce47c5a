import { passwordMinLength as usual, passwordMinLengthMeta } from '@kinora/contract/text.ts'

/** The shortest new password. It is the operator's setting, which the server writes into the page's head. */
export const passwordMinLength =
  (typeof document !== 'undefined' &&
    Number(document.querySelector<HTMLMetaElement>(`meta[name="${passwordMinLengthMeta}"]`)?.content)) ||
  usual
