import type { ClientError, ClientMethods, Result } from '@tollgate/client'
import type { AuthCallName } from '@tollgate/contract/calls'
import type { After, At, Form as FormRow } from '@tollgate/contract/forms'
import type { Answer } from '@tollgate/contract/types'
import { useContext } from 'react'
import { leaveFor } from '../components/leave.ts'
import type { FormState } from '../form-state.ts'
import { useTollgateContext } from '../provider.tsx'
import { FurtherErrors } from './use-error-text.ts'
import { type Form, type Outcome, refusal, useForm } from './use-form.ts'

type Values = Readonly<Record<string, string>>

export type FormOfOptions<Call extends AuthCallName> = {
  /** What the server rendered, if it did. */
  state: FormState | undefined
  /** What the row knows besides the values. */
  at?: Partial<At>
  /** The fields that the form shows. Default: all of its row. */
  fields?: readonly string[]
  /** Called before the form is sent. With `false` it is not sent. */
  onSend?: (values: Values) => unknown
  /** Called after a success, before what follows. */
  onSuccess?: ((answer: Answer<Call>, values: Values, element: HTMLFormElement) => void) | undefined
  /** Called with the way to sign in that was used. */
  onMethod?: ((method: string) => void) | undefined
  /** Called instead of leaving the page. */
  leave?: ((after: After) => void) | undefined
  /** Takes the outcome to show it elsewhere, and answers what the form itself shows. */
  report?: (outcome: Outcome, values: Values) => Outcome
}

/** A form of the contract, sent by the client. Of several in one form, the pressed button names the one to send. */
export function useFormOf<Call extends AuthCallName>(
  row: FormRow<Call> | readonly [FormRow<Call>, ...FormRow<Call>[]],
  options: FormOfOptions<Call>,
): Form {
  const { client, paths, passwordRules, usernameRules } = useTollgateContext()
  const further = useContext(FurtherErrors)
  const common: At = { paths, passwordRules, usernameRules, isScripted: true, ...options.at }
  const rows = 'name' in row ? ([row] as const) : row
  const [first, ...others] = rows
  const named = (values: Values) => rows.find(({ name }) => name === values.form) ?? first
  const fields = options.fields ?? [...new Set(rows.flatMap((each) => Object.keys(each.fields)))]

  async function send(values: Values, element: HTMLFormElement): Promise<Outcome> {
    const form = named(values)
    const at = form.takesFile ? { ...common, file: fileIn(element, form.takesFile) } : common
    const instead = form.instead?.(values, at)
    if (instead) return follow(instead)
    if (form.renewsSession && values.password !== undefined) {
      const { error } = await client.verifyPassword({ password: values.password })
      if (error) return refused(error)
    }
    const { data, error } = await methodOf(client, form.choose?.(values, at) ?? form.calls[0])(form.input(values, at))
    if (error) return refused(error)
    options.onSuccess?.(data, values, element)
    const after = form.after(data, values, at)
    if (after.method !== undefined) options.onMethod?.(after.method)
    // The client follows the redirect of an answer by itself.
    return isRedirect(data) ? undefined : follow(after)
  }

  /** A refusal belongs to its field, if the form shows it. */
  function refused(error: ClientError): Outcome {
    const { code = '' } = error
    const field = further[code]?.fields?.find((about) => fields.includes(about))
    return field ? { fields: { [field]: code } } : refusal(error, fields)
  }

  function follow(after: After): Outcome {
    const { done, values } = after
    if (done) return values ? { done, values } : { done }
    if (options.leave) options.leave(after)
    else if (after.to) leaveFor(after.to)
    return undefined
  }

  return useForm({
    name: first.name,
    also: others.map(({ name }) => name),
    calls: rows.flatMap(({ calls }) => calls),
    state: options.state,
    fields: Object.fromEntries(
      fields.map((field) => [
        field,
        (value: string, values: Values) => named(values).fields[field]?.(value, values, common),
      ]),
    ),
    submit: async (values, element) => {
      if (options.onSend?.(values) === false) return {}
      const outcome = await send(values, element)
      return options.report ? options.report(outcome, values) : outcome
    },
  })
}

function fileIn(element: HTMLFormElement, name: string): Blob | undefined {
  const value = new FormData(element).get(name)
  return value instanceof Blob ? value : undefined
}

/** Makes the call of a form that is not on the page. */
export function useCallOf<Call extends AuthCallName>(row: FormRow<Call>) {
  const { client, paths, passwordRules, usernameRules } = useTollgateContext()
  return (values: Values, at: Partial<At>): Promise<Result<Answer<Call>>> =>
    methodOf(client, row.calls[0])(row.input(values, { paths, passwordRules, usernameRules, isScripted: true, ...at }))
}

const isRedirect = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'redirect' in data && data.redirect === true

/** The client's method for a call. The client of signed-out pages has only those of its forms. */
function methodOf<Call extends AuthCallName>(client: Partial<ClientMethods>, call: Call | undefined) {
  const method = Object.entries(client).find(([name]) => name === call)?.[1]
  if (typeof method !== 'function') throw new Error(`The client of this page cannot call ${call}.`)
  return method as unknown as (input: unknown) => Promise<Result<Answer<Call>>> // each method answers its call
}
