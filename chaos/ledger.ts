/**
 * Outcome of a change. `yes` and `no` were confirmed with 2xx; `maybe` got no response, so both outcomes are correct.
 */
export type Certainty = 'yes' | 'no' | 'maybe'

export interface VideoFact {
  id: string
  owner: string
  title: string
  sizeBytes: number
  existence: Certainty
  /** Confirmed views, and those that may have been counted. */
  views: { sure: number; maybe: number }
}

export interface CommentFact {
  id: string
  videoId: string
  content: string
  existence: Certainty
}

/** Everything that the site confirmed to the clients of one run. */
export class Ledger {
  readonly videos = new Map<string, VideoFact>()
  readonly comments = new Map<string, CommentFact>()
  /** Contents of comments without a response. */
  readonly doubtfulComments = new Set<string>()
  /** Titles of uploads without a response, whose videos may exist or not. */
  readonly doubtfulTitles = new Set<string>()
  /** Last confirmed state of a toggle by `user|video`, `user|comment` or `user|channel`. */
  readonly videoLikes = new Map<string, Certainty>()
  readonly commentLikes = new Map<string, Certainty>()
  readonly subscriptions = new Map<string, Certainty>()
  readonly violations: string[] = []
  readonly responses = new Map<string, number>()

  sureVideos(): VideoFact[] {
    return [...this.videos.values()].filter(({ existence }) => existence === 'yes')
  }

  sureComments(): CommentFact[] {
    return [...this.comments.values()].filter(
      ({ existence, videoId }) => existence === 'yes' && this.videos.get(videoId)?.existence === 'yes',
    )
  }

  count(what: string): void {
    this.responses.set(what, (this.responses.get(what) ?? 0) + 1)
  }
}
