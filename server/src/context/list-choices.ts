import type { SensitiveChoice } from '@kinora/contract/constants.ts'
import type { ListChoices } from '@kinora/platform/http/routing/route.ts'

declare module '@kinora/platform/http/routing/route.ts' {
  interface ListChoices {
    /** Choice for sensitive videos; absent for that of the site. */
    sensitiveVideos?: SensitiveChoice
    /** Languages of home and recommendations, sorted; absent for all. */
    languages?: readonly string[]
  }
}

/** Columns of `users` that a session reads for lists. */
export interface ChoiceRow {
  sensitiveVideos: SensitiveChoice | null
  viewingLanguages: string[] | null
}

/** The choices of an account; none for most, who share their responses. */
export const choicesOf = ({ sensitiveVideos, viewingLanguages }: ChoiceRow): ListChoices => ({
  ...(sensitiveVideos !== null && { sensitiveVideos }),
  ...(viewingLanguages !== null && { languages: viewingLanguages }),
})
