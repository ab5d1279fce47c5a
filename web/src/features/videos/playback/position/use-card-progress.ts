import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { finishedKeyOf, finishedQuery } from '../up-next/finished-videos.ts'
import { positionsQuery } from './api.ts'
import { changedPositions, positionsKeyOf, withChanges } from './local-positions.ts'

const none: ReadonlyMap<string, number> = new Map()

/**
 * How far an account has watched, in seconds by video; Infinity for videos that it played to their end, on any device or,
 * with a paused history, in this browser.
 * Other tabs of the browser update it while they play. Empty for visitors.
 */
export function useCardProgress(userId: string | null): ReadonlyMap<string, number> {
  const client = useQueryClient()
  const isSignedIn = userId !== null
  const { data: positions } = useQuery({ ...positionsQuery, enabled: isSignedIn })
  const { data: finished } = useQuery({ ...finishedQuery(userId), enabled: isSignedIn })

  useEffect(() => {
    if (userId === null) return
    // Fires for changes by other tabs only.
    const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key === finishedKeyOf(userId)) void client.invalidateQueries(finishedQuery(userId))
      if (key !== positionsKeyOf(userId)) return
      const changes = changedPositions(oldValue, newValue)
      client.setQueryData(positionsQuery.queryKey, (before) => before && withChanges(before, changes))
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [client, userId])

  return useMemo(() => {
    if (!isSignedIn) return none
    const ended = (finished ?? []).map((id) => [id, Infinity] as const)
    // A video that is watched again has a position.
    return new Map([...ended, ...(positions ?? none)])
  }, [isSignedIn, positions, finished])
}
