import { createContext } from 'react'

/** Where the viewer stopped in unfinished videos, in seconds by video. */
export const ProgressContext = createContext<ReadonlyMap<string, number>>(new Map())
