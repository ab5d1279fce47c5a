/** A reference of an archive that could not be resolved. */
export interface MissingReference {
  /** Its id in the archive. */
  key: string
  /** As the archive has it. */
  content: unknown
  /** In an ordered list. */
  position?: number
}

/** Where references of an archive belong. */
export interface ReferenceList {
  /** File of the archive. */
  file: string
  /** Id of the playlist, group of channels or video that they belong to. */
  list?: string
}

/** The file of the viewers of videos, which are lists in it. */
export const viewersFile = 'videos/<id>/video.json'

const maxKeyCharacters = 200
const maxContentCharacters = 50_000

/** Whether a reference has the size of those that Kinora exports. */
export const isKeepable = ({ key, content }: MissingReference): boolean =>
  key.length <= maxKeyCharacters && JSON.stringify(content).length <= maxContentCharacters
