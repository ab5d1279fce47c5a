import { answerDecision, getReport } from '@kinora/contract/operations/reports.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { reportKeys } from '../../../lib/rare-keys.ts'

/** A report of the signed-in user, or a decision about the user. */
export function ownReportQuery(reportId: string) {
  return queryOptions({
    queryKey: reportKeys.report(reportId),
    queryFn: ({ signal }) => call(getReport, { params: { reportId }, signal }),
  })
}

/** Answers a decision about the signed-in user, once. */
export function useAnswerDecision(reportId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => call(answerDecision, { params: { reportId }, body: { text } }),
    onSuccess: (report) => client.setQueryData(ownReportQuery(reportId).queryKey, report),
  })
}
