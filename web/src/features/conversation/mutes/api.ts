import { call } from '@kinora/contract/client.ts'
import { listMutedPeople, mutePerson, unmutePerson } from '@kinora/contract/conversation/mutes.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { muteKeys } from '../../../lib/rare-keys.ts'

/** People whom the signed-in viewer muted or blocked. */
export const mutedPeopleQuery = queryOptions({
  queryKey: muteKeys.list,
  queryFn: ({ signal }) => call(listMutedPeople, { signal }),
})

export type MuteState = 'muted' | 'blocked' | 'neither'

/** Mutes, blocks or restores a person, and loads again what that changes. */
export function useMuteChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ username, state }: { username: string; state: MuteState }) =>
      state === 'neither'
        ? call(unmutePerson, { params: { username } })
        : call(mutePerson, { params: { username }, body: { isBlocked: state === 'blocked' } }),
    onSettled: () => Promise.all(muteKeys.affected.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}
