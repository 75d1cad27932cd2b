import { tickedAfter } from '@tollgate/contract/forms'
import type { OrganizationFrame } from '@tollgate/contract/pages'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Avatar } from '../../elements/avatar.tsx'
import { Checkbox } from '../../elements/checkbox.tsx'
import type { FormState } from '../../form-state.ts'
import { useErrorText } from '../../hooks/use-error-text.ts'
import type { Form, Outcome } from '../../hooks/use-form.ts'
import { useMessages, useText } from '../../provider.tsx'
import { useOrganizationPath, useRoleText } from '../organization-parts.tsx'
import { grantable, type OrganizationSection } from './data.ts'
import { Choices } from './fields.tsx'

/** The base path of the organization's pages, to which the forms of each section post. */
export function usePageOf({ organization }: Pick<OrganizationFrame, 'organization'>) {
  const root = useOrganizationPath()(organization.slug)
  return (section: OrganizationSection): string => (section === 'overview' ? root : `${root}/${section}`)
}

/** The text of an error code; codes that only these forms give have their own texts. */
export function useRefusalText() {
  const texts = useMessages('organization')
  const errorText = useErrorText()
  const t = useText()
  return (code: string, { slug = '', ...details }: { message?: string; retryAfter?: number; slug?: string } = {}) => {
    switch (code) {
      case 'FIELD_REQUIRED':
      case 'NAME_REQUIRED':
        return texts.fieldRequired
      case 'PASSWORD_REQUIRED':
        return texts.passwordRequired
      case 'ROLE_REQUIRED':
        return texts.pickRole
      case 'EMAIL_REQUIRED':
        return texts.emailsRequired
      case 'INVALID_NUMBER':
        return texts.numberInvalid
      case 'METADATA_INVALID':
        return t(texts.jsonInvalid, { example: '{"plan": "pro"}' })
      case 'KEY_TWICE':
        return texts.keyTwice
      case 'CONFIRMATION_SLUG':
        return t(texts.typeSlug, { slug })
      default:
        return errorText(code, details)
    }
  }
}

/** A field's props. Several forms of a page share field names, so `prefix` makes their ids unique. */
export function useFields(form: Form, prefix: string) {
  const refusalText = useRefusalText()
  return (name: string) => {
    const { errorCode, ...field } = form.field(name)
    return { ...field, id: `${prefix}-${name}`, error: errorCode ? refusalText(errorCode) : undefined }
  }
}

/**
 * The outcomes of a section's forms, for its live regions; `notices` are the success texts. `report` leaves field
 * errors to their fields and announces the rest above, with `said` as a more specific text.
 */
export function useOutcome(state: FormState | undefined, notices: Partial<Record<string, string>> = {}) {
  const refusalText = useRefusalText()
  const [outcome, setOutcome] = useState<FormState>(state ?? {})
  const [closer, setCloser] = useState<string>()
  return {
    outcome,
    alert: outcome.code ? refusalText(outcome.code, outcome) : undefined,
    status: outcome.done ? (closer ?? notices[outcome.done]) : undefined,
    /** An older success disappears; an error stays until the next answer. */
    onAttempt: () => setOutcome((shown) => (shown.done ? {} : shown)),
    report: (result: Outcome, said?: string): Outcome => {
      setOutcome(result ?? {})
      setCloser(said)
      if (!result) return undefined
      const { fields, retryAfter } = result
      return { ...(fields && { fields }), ...(retryAfter !== undefined && { retryAfter }) }
    },
  }
}

export type Report = ReturnType<typeof useOutcome>['report']

type Counts = OrganizationFrame['counts']
type Change = Readonly<Partial<Record<'members' | 'invitations' | 'requests', number>>>

/** Receives how the counts changed since they were read. */
export type OnCount = (change: Change) => void

/** Tells the navigation. */
const Count = createContext<OnCount>(() => undefined)
export const CountProvider = Count.Provider
export const useCount = () => useContext(Count)

/** The counts that were read with a section, adjusted by changes in place. */
export function useOrganizationCounts(read: Counts): [counts: Counts, count: OnCount] {
  const [changed, setChanged] = useState({ read, counts: read })
  const count = useCallback(
    ({ members = 0, invitations = 0, requests = 0 }: Change) =>
      setChanged((last) => {
        const counts = last.read === read ? last.counts : read
        return {
          read,
          counts: {
            ...counts,
            members: counts.members + members,
            invitations: counts.invitations + invitations,
            requests: counts.requests + requests,
          },
        }
      }),
    [read],
  )
  return [changed.read === read ? changed.counts : read, count]
}

/** The state of a form that exists in many rows, for the row that sent it. */
export const stateOf = (state: FormState | undefined, form: FormState['form'], field: string, id: string) =>
  state?.form === form && state?.values?.[field] === id ? state : undefined

/** A picture with a name and a detail below. */
export function Person({
  name,
  email,
  image,
  you,
  children,
}: {
  name: string
  email: string
  image: string | null
  you?: boolean
  children?: ReactNode
}) {
  const texts = useMessages('organization')
  return (
    <div data-tg="person">
      <Avatar name={name || email} image={image} />
      <span>
        <strong>
          {name || email} {you ? <span data-tg="you">{texts.you}</span> : null}
        </strong>
        {name ? <span>{email}</span> : null}
        {children}
      </span>
    </div>
  )
}

/** A checkbox for each role that the viewer may grant, as `role.<name>`. */
export function RoleBoxes({
  frame,
  form,
  prefix,
  held,
  values,
  locked,
}: {
  frame: OrganizationFrame
  form: Form
  prefix: string
  held: readonly string[]
  /** The checked roles of a refused form. */
  values: FormState['values']
  /** A role that cannot be chosen, and why. */
  locked?: { role: string; reason: string } | undefined
}) {
  const texts = useMessages('organization')
  const roleText = useRoleText()
  const field = useFields(form, prefix)
  const { id, error } = field('role')
  const ticked = values ? tickedAfter('role.', values) : held
  return (
    <Choices id={id} legend={texts.roles} error={error} hint={locked?.reason}>
      {grantable(frame).map(({ name }, at) =>
        name === locked?.role ? (
          <p key={name} data-tg="checkbox">
            <input type="hidden" name={`role.${name}`} value="on" />
            <span>{roleText(name)}</span>
          </p>
        ) : (
          <Checkbox
            key={name}
            id={`${prefix}-role.${name}`}
            name={`role.${name}`}
            label={roleText(name)}
            defaultChecked={ticked.includes(name)}
            // The focus target if none is checked.
            {...(error && at === 0 && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
          />
        ),
      )}
    </Choices>
  )
}

/** Roles and teams for a new invitation. */
export function useRoleOptions(frame: OrganizationFrame): readonly (readonly [string, string])[] {
  const roleText = useRoleText()
  return grantable(frame).map(({ name }) => [name, roleText(name)] as const)
}
