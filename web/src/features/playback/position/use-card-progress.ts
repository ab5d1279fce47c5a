import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { FINISHED_KEY, finishedQuery } from '../up-next/finished-videos.ts'
import { positionsQuery } from './api.ts'
import { changedPositions, POSITIONS_KEY, withChanges } from './local-positions.ts'

const none: ReadonlyMap<string, number> = new Map()

/**
 * How far the signed-in viewer has watched, in seconds by video; Infinity for videos that this browser played to their
 * end. Other tabs of the browser update it while they play.
 */
export function useCardProgress(isSignedIn: boolean): ReadonlyMap<string, number> {
  const client = useQueryClient()
  const { data: positions } = useQuery({ ...positionsQuery, enabled: isSignedIn })
  const { data: finished } = useQuery({ ...finishedQuery, enabled: isSignedIn })

  useEffect(() => {
    if (!isSignedIn) return
    // Fires for changes by other tabs only.
    const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key === FINISHED_KEY) void client.invalidateQueries(finishedQuery)
      if (key !== POSITIONS_KEY) return
      const changes = changedPositions(oldValue, newValue)
      client.setQueryData(positionsQuery.queryKey, (before) => before && withChanges(before, changes))
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [client, isSignedIn])

  return useMemo(() => {
    if (!isSignedIn) return none
    const ended = (finished ?? []).map((id) => [id, Infinity] as const)
    // A video that is watched again has a position.
    return new Map([...ended, ...(positions ?? none)])
  }, [isSignedIn, positions, finished])
}
