/**
 * What the clients were told. `yes` and `no` were answered with 2xx; `maybe` was asked for and not answered, so that
 * both are right.
 */
export type Certainty = 'yes' | 'no' | 'maybe'

export interface VideoFact {
  id: string
  owner: string
  title: string
  sizeBytes: number
  isThere: Certainty
  /** Views that were answered, and those that may have counted. */
  views: { sure: number; maybe: number }
}

export interface CommentFact {
  id: string
  videoId: string
  content: string
  isThere: Certainty
}

/** All that was promised, kept by the clients of one run. */
export class Ledger {
  readonly videos = new Map<string, VideoFact>()
  readonly comments = new Map<string, CommentFact>()
  /** Contents of comments whose adding was not answered. */
  readonly doubtfulComments = new Set<string>()
  /** Titles of uploads that were not answered: there may be a video of each, or none. */
  readonly doubtfulTitles = new Set<string>()
  /** `user|video`, `user|comment` or `user|channel`, and what a toggle last answered. */
  readonly videoLikes = new Map<string, Certainty>()
  readonly commentLikes = new Map<string, Certainty>()
  readonly subscriptions = new Map<string, Certainty>()
  readonly violations: string[] = []
  readonly responses = new Map<string, number>()

  sureVideos(): VideoFact[] {
    return [...this.videos.values()].filter(({ isThere }) => isThere === 'yes')
  }

  sureComments(): CommentFact[] {
    return [...this.comments.values()].filter(
      ({ isThere, videoId }) => isThere === 'yes' && this.videos.get(videoId)?.isThere === 'yes',
    )
  }

  count(what: string): void {
    this.responses.set(what, (this.responses.get(what) ?? 0) + 1)
  }
}
