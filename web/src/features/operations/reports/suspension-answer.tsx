import { t } from '@lingui/core/macro'
import { answerSuspension } from '@kinora/contract/operations/reports.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation } from '@tanstack/react-query'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { AnswerForm } from './answer-form.tsx'

/** The reason of a suspension, with a form for the answer; nothing for other errors of a login. */
export function SuspensionAnswer({
  error,
  credentials,
}: {
  error: unknown
  credentials: { email: string; password: string }
}) {
  const sendAnswer = useMutation({
    mutationFn: (text: string) => call(answerSuspension, { body: { ...credentials, text } }),
  })
  const reason = fieldErrors(error)['suspension']
  if (reason === undefined) return null
  return (
    <section aria-labelledby="suspension">
      <h2 id="suspension">{t`Why it was suspended`}</h2>
      <p dir="auto">{reason}</p>
      {sendAnswer.isSuccess ? (
        <p role="status">{t`Answer sent. A moderator will read it.`}</p>
      ) : (
        <AnswerForm onSend={sendAnswer.mutateAsync} />
      )}
    </section>
  )
}
