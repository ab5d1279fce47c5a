import { createContext } from 'react'

/** Where the viewer stopped in unfinished videos, in seconds by video; Infinity for videos watched to their end. */
export const ProgressContext = createContext<ReadonlyMap<string, number>>(new Map())
