import type { z } from 'zod'
import { type Cause, type Failure, explain, type ParamsArgument } from './failure.ts'

type Issue = z.core.$ZodRawIssue

/** The error of a check or schema: `z.string().min(1, wrong(errors.required, { label }))`. */
export function wrong<const Message extends string>(
  failure: Failure<Message>,
  ...params: ParamsArgument<Message>
) {
  return { error: (issue: Issue) => describe(issue, failure, ...params) }
}

/** The message of an issue, which keeps reason and values as its `params`, as those of custom checks do. */
export function describe<const Message extends string>(
  issue: Issue,
  failure: Failure<Message>,
  ...args: ParamsArgument<Message>
): string {
  const { message, reason, params } = explain(failure, ...args)
  Object.assign(issue, { params: { reason, params } satisfies Cause })
  return message
}

/** Reason and values of an issue; the general reason where its schema has an error of its own. */
export const causeOf = (issue: z.core.$ZodIssue): Cause =>
  // only `describe` sets it
  (('params' in issue && issue.params) || { reason: 'invalid', params: {} }) as Cause
