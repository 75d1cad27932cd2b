import { inviteMembers, organizationCreate, organizationLogo } from '@tollgate/contract/forms'
import type { Answer } from '@tollgate/contract/types'
import { type ChangeEvent, useEffect, useState } from 'react'
import { Button, ButtonLink } from '../elements/button.tsx'
import { Field } from '../elements/field.tsx'
import { Screen } from '../elements/screen.tsx'
import { Alert } from '../elements/small.tsx'
import type { FormState } from '../form-state.ts'
import { useErrorText } from '../hooks/use-error-text.ts'
import { useCallOf, useFormOf } from '../hooks/use-form-of.ts'
import { useTollgate } from '../hooks/use-session.ts'
import { useMessages, useText, useTollgateContext } from '../provider.tsx'
import { Hidden, Submit, useFieldProps, useFormAlert } from './form-parts.tsx'
import { leaveFor } from './leave.ts'
import { SelectField, TextField } from './organization/fields.tsx'
import { OrganizationErrors, useOrganizationPath } from './organization-parts.tsx'
import { PictureField } from './picture/picture-field.tsx'
import { slugOf, slugsLike } from './slug.ts'

type Organization = Pick<Answer<'createOrganization'>, 'id' | 'name' | 'slug'>

export type CreateOrganizationProps = {
  /** Whether the viewer may create one, if known. */
  may?: 'create' | 'not-allowed' | 'limit'
  /** The viewer's limit of organizations. */
  limit?: number | undefined
  /** Where the form posts without JavaScript. Default: its own page. */
  action?: string
  state?: FormState
  /**
   * The address prefix of a selling organization's pages, if a new one may sell at once. The last step then leads to its
   * first product, in place of inviting members.
   */
  dashboard?: string | undefined
  /** False skips the step after the form. */
  invite?: boolean
  /** False if the page already shows the application's logo. */
  brand?: boolean
  /** Called at the end instead of navigating to the new organization. */
  onCreated?: (organization: Organization) => void
}

/** Creates an organization: name, slug and logo, then one next step: a first product where it sells, else invitations. */
export function CreateOrganization(props: CreateOrganizationProps) {
  const [created, setCreated] = useState<Organization>()
  const [lacksLogo, setLacksLogo] = useState(false)
  const pathOf = useOrganizationPath()
  const { may = 'create', limit, invite = true, brand = true, dashboard, onCreated } = props

  function goOn(organization: Organization) {
    if (onCreated) onCreated(organization)
    else leaveFor(dashboard ? `${dashboard}/${organization.slug}` : pathOf(organization.slug))
  }

  return (
    <OrganizationErrors>
      {may !== 'create' ? (
        <MayNot reason={may} limit={limit} brand={brand} />
      ) : created && dashboard && !onCreated ? (
        <Sell organization={created} lacksLogo={lacksLogo} brand={brand} dashboard={dashboard} />
      ) : created ? (
        <InvitePeople organization={created} lacksLogo={lacksLogo} brand={brand} onDone={() => goOn(created)} />
      ) : (
        <CreateForm
          {...props}
          onDone={(organization, lacksLogo) => {
            setLacksLogo(lacksLogo)
            if (invite) setCreated(organization)
            else goOn(organization)
          }}
        />
      )}
    </OrganizationErrors>
  )
}

function MayNot({
  reason,
  limit,
  brand,
}: {
  reason: 'not-allowed' | 'limit'
  limit: number | undefined
  brand: boolean
}) {
  const { paths } = useTollgateContext()
  const texts = useMessages('createOrganization')
  const t = useText()
  const atLimit = limit === undefined ? texts.limitTextNoCount : t(texts.limitText, { count: limit })
  return (
    <Screen
      brand={brand}
      title={reason === 'limit' ? texts.limitTitle : texts.notAllowedTitle}
      text={reason === 'limit' ? atLimit : texts.notAllowedText}
    >
      <ButtonLink href={paths.organizations} wide>
        {texts.toList}
      </ButtonLink>
    </Screen>
  )
}

function CreateForm({
  action,
  state,
  brand = true,
  onDone,
}: CreateOrganizationProps & { onDone: (organization: Organization, lacksLogo: boolean) => void }) {
  const { paths } = useTollgateContext()
  const texts = useMessages('createOrganization')
  const pictureTexts = useMessages('picture')
  const errorText = useErrorText()
  const [slug, setSlug] = useState(state?.values?.slug ?? '')
  /** A typed slug stays, even if the name changes. */
  const [own, setOwn] = useState(state?.values?.slug !== undefined)
  const [name, setName] = useState(state?.values?.name ?? '')
  const [logo, setLogo] = useState<{ file: File; url: string }>()
  const upload = useCallOf(organizationLogo)
  const form = useFormOf(organizationCreate, {
    state,
    onSuccess: finish,
    leave: () => undefined,
  })

  /** Without its logo the organization is there nevertheless. */
  async function finish(organization: Organization) {
    const sent = logo && (await upload({}, { organization, file: logo.file }))
    onDone(organization, Boolean(sent?.error))
  }

  const field = useFieldProps(form)
  const alert = useFormAlert(form)
  const { defaultValue: _, ...slugField } = field('slug')

  return (
    <Screen title={texts.title} text={texts.lead} alert={alert} brand={brand}>
      <form {...form.props} action={action ?? paths.newOrganization} data-tg="form">
        <Hidden form={form.name} />
        <Field
          {...field('name')}
          label={texts.name}
          autoComplete="organization"
          maxLength={100}
          required
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            setName(event.target.value)
            if (!own) setSlug(slugOf(event.target.value))
          }}
        />
        <Field
          {...slugField}
          label={texts.slug}
          value={slug}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            setSlug(event.target.value.toLowerCase())
            setOwn(event.target.value !== '')
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          hint={
            <SlugHint
              slug={slug.trim()}
              refused={state?.values?.slug}
              onUse={(free) => {
                setSlug(free)
                setOwn(true)
              }}
            />
          }
        />
        <PictureField
          id="picture"
          name="picture"
          label={texts.logo}
          owner={name}
          image={logo?.url ?? null}
          error={undefined}
          refusalText={errorText}
          later={texts.logoLater}
          onPick={async (_, file) => setLogo({ file, url: await dataUrlOf(file) })}
          remove={logo ? <Button onClick={() => setLogo(undefined)}>{pictureTexts.remove}</Button> : null}
        />
        <Submit form={form} wide busyLabel={texts.submitting}>
          {texts.submit}
        </Submit>
      </form>
    </Screen>
  )
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsDataURL(file)
  })

/** Milliseconds without a key press before the server is asked. */
const pause = 400

/** The rule of a slug; while the user types, its availability and an alternative replace the rule. */
function SlugHint({
  slug,
  refused,
  onUse,
}: {
  slug: string
  /** The slug that the server last judged. */
  refused: string | undefined
  onUse: (slug: string) => void
}) {
  const texts = useMessages('createOrganization')
  const t = useText()
  const errorText = useErrorText()
  const found = useAvailability(slug === refused ? '' : slug)
  const taken = found?.code === 'SLUG_IS_TAKEN'
  const text = !found
    ? texts.slugHint
    : taken
      ? t(texts.slugTaken, { slug })
      : found.code
        ? errorText(found.code)
        : t(texts.slugFree, { slug })
  return (
    // All variants have the same height, so that nothing below moves.
    <span data-tg="availability" data-tone={found?.code ? 'danger' : found ? 'ok' : undefined}>
      <span aria-live="polite">{text}</span>{' '}
      {found?.free ? (
        <Button look="quiet" onClick={() => onUse(found.free ?? slug)}>
          {t(texts.useSlug, { slug: found.free })}
        </Button>
      ) : null}
    </span>
  )
}

type Availability = {
  slug: string
  /** Why it is unavailable. */
  code?: string | undefined
  /** A similar free slug, if it is taken. */
  free?: string | undefined
}

/** The availability of a slug once the user stops typing; undefined if the server did not answer. */
function useAvailability(slug: string): Availability | undefined {
  const client = useTollgate()
  const [found, setFound] = useState<Availability>()

  useEffect(() => {
    if (slug === '') return
    const abort = new AbortController()
    const check = async (candidate: string) =>
      client.checkOrganizationSlug({ slug: candidate }, { signal: abort.signal })
    const timer = setTimeout(async () => {
      const { error } = await check(slug)
      if (abort.signal.aborted) return
      if (error?.code !== 'SLUG_IS_TAKEN') {
        if (!error || error.code === 'INVALID_SLUG') setFound({ slug, code: error?.code })
        return
      }
      setFound({ slug, code: error.code })
      for (const free of slugsLike(slug)) {
        const { data } = await check(free)
        if (abort.signal.aborted) return
        if (data) return setFound({ slug, code: error.code, free })
      }
    }, pause)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [client, slug])

  return found?.slug === slug ? found : undefined
}

/** The next step of an organization that sells: its first product. */
function Sell({
  organization,
  lacksLogo,
  brand,
  dashboard,
}: {
  organization: Organization
  /** Whether the chosen logo could not be uploaded. */
  lacksLogo: boolean
  brand: boolean
  dashboard: string
}) {
  const texts = useMessages('createOrganization')
  const t = useText()
  const base = `${dashboard}/${encodeURIComponent(organization.slug)}`
  return (
    <Screen title={t(texts.readyTitle, { organization: organization.name })} text={texts.readyText} brand={brand} open>
      {lacksLogo ? <Alert tone="warn">{texts.logoFailed}</Alert> : null}
      <ButtonLink href={`${base}/products/new`} look="primary" wide>
        {texts.firstProduct}
      </ButtonLink>
      <ButtonLink href={base} look="quiet" wide>
        {t(texts.goOn, { organization: organization.name })}
      </ButtonLink>
    </Screen>
  )
}

type Refused = readonly { readonly email: string; readonly code: string; readonly message: string }[]

/** Invites members into the new organization; the step is optional. */
function InvitePeople({
  organization,
  lacksLogo,
  brand,
  onDone,
}: {
  organization: Organization
  /** Whether the chosen logo could not be uploaded. */
  lacksLogo: boolean
  brand: boolean
  onDone: () => void
}) {
  const texts = useMessages('createOrganization')
  const roles = useMessages('roleNames')
  const t = useText()
  const errorText = useErrorText()
  const pathOf = useOrganizationPath()
  const [invited, setInvited] = useState(0)
  const [refused, setRefused] = useState<Refused>([])
  const form = useFormOf(inviteMembers, {
    state: undefined,
    at: { organization },
    fields: ['emails'],
    onSuccess: ({ results }, _, element) => {
      setInvited((count) => count + results.filter(({ invitation }) => invitation).length)
      setRefused(results.flatMap(({ email, error }) => (error ? [{ email, ...error }] : [])))
      element.reset()
    },
    report: (result) => (result?.done ? {} : result),
  })
  const bind = useFieldProps(form)
  const alert = useFormAlert(form)
  const status =
    invited > 0 ? t(texts.invited, { count: invited }) : t(texts.created, { organization: organization.name })

  return (
    <Screen
      title={t(texts.inviteTitle, { organization: organization.name })}
      alert={alert}
      status={status}
      brand={brand}
      open
    >
      {lacksLogo ? <Alert tone="warn">{texts.logoFailed}</Alert> : null}
      {refused.length > 0 ? (
        <div data-tg="notice" data-tone="warn">
          <strong>{texts.notInvited}</strong>
          <ul data-tg="list">
            {refused.map(({ email, code, message }) => (
              <li key={email}>
                {email}: {errorText(code, { message })}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <form {...form.props} action={`${pathOf(organization.slug)}/invitations`} data-tg="form">
        <Hidden form={form.name} />
        <TextField
          {...bind('emails')}
          label={texts.emails}
          hint={texts.emailsHint}
          rows={3}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="email"
        />
        <SelectField
          {...bind('role')}
          label={texts.role}
          defaultValue="member"
          options={[
            ['member', roles.member],
            ['admin', roles.admin],
          ]}
        />
        <Submit form={form} wide busyLabel={texts.sending} look={invited > 0 ? 'secondary' : 'primary'}>
          {texts.send}
        </Submit>
        <Button wide look={invited > 0 ? 'primary' : 'quiet'} onClick={onDone}>
          {invited > 0 ? t(texts.goOn, { organization: organization.name }) : texts.skip}
        </Button>
      </form>
    </Screen>
  )
}
