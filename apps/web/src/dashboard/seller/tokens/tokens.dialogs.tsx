import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { isScope, type Scope } from '@tollgate/contract/billing'
import type { AccessToken } from '@tollgate/contract/billing-types'
import { useId, useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { FieldError } from '../../parts/field-errors.ts'
import { textOf } from '../../parts/form.ts'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { answerOf, CallError } from '../../queries/answer.ts'
import styles from './tokens.module.css'
import { presets, type ScopeRow, scopeGroups, withScope } from './tokens.scopes.ts'
import { tokensWords as words } from './tokens.texts.ts'

type Frame = { opened: boolean; onClose: () => void }

const { form } = words

/** Creates a token; `onSecret` shows it once. */
export function CreateTokenDialog({ onSecret, ...frame }: Frame & { onSecret: (secret: string) => void }) {
  const { billing } = useSeller()
  async function create(given: FormData) {
    const expires = textOf(given, 'expires_in')
    const { token } = await ownedBy(
      billing.createAccessToken({ ...valuesIn(given), expiresIn: expires === 'never' ? null : expires }),
    )
    onSecret(token)
    return undefined
  }
  return (
    <ActionDialog {...frame} title={words.creation.title} submit={words.creation.submit} run={create}>
      {(errorOf) => (
        <>
          <NameField errorOf={errorOf} />
          <NativeSelect
            name="expires_in"
            label={form.expires}
            data={Object.entries(form.expiries).map(([value, label]) => ({ value, label }))}
            defaultValue="P90D"
            error={errorOf('expires_in')}
          />
          <ScopesField errorOf={errorOf} />
        </>
      )}
    </ActionDialog>
  )
}

type TokenProps = Frame & { token: AccessToken }

export function EditTokenDialog({ token, ...frame }: TokenProps) {
  const { billing } = useSeller()
  async function save(given: FormData) {
    await ownedBy(billing.updateAccessToken({ id: token.id, ...valuesIn(given) }))
    return words.editing.done
  }
  return (
    <ActionDialog {...frame} title={words.editing.title} submit={words.editing.submit} run={save}>
      {(errorOf) => (
        <>
          <NameField token={token} errorOf={errorOf} />
          <ScopesField token={token} errorOf={errorOf} />
        </>
      )}
    </ActionDialog>
  )
}

export function DeleteTokenDialog({ token, ...frame }: TokenProps) {
  const { billing } = useSeller()
  const { removal } = words
  async function remove() {
    await answerOf(billing.deleteAccessToken({ id: token.id }))
    return removal.done(token.comment)
  }
  return (
    <ActionDialog
      {...frame}
      title={removal.title(token.comment)}
      text={removal.text}
      submit={removal.submit}
      danger
      run={remove}
    />
  )
}

/** Explains why a token cannot have more permissions than its creator. */
async function ownedBy<Data>(call: Parameters<typeof answerOf<Data>>[0]): Promise<Data> {
  try {
    return await answerOf(call)
  } catch (error) {
    if (error instanceof CallError && error.code === 'NotPermitted') throw new Error(form.notYours, { cause: error })
    throw error
  }
}

function valuesIn(given: FormData): { comment: string; scopes: Scope[] } {
  const comment = textOf(given, 'comment')
  const chosen = given.getAll('scopes').map(String).filter(isScope)
  if (comment === '') throw new FieldError('comment', form.nameMissing)
  if (chosen.length === 0) throw new FieldError('scopes', form.scopesMissing)
  return { comment, scopes: chosen }
}

type FieldProps = { token?: AccessToken; errorOf: ErrorOf }

const NameField = ({ token, errorOf }: FieldProps) => (
  <TextInput
    name="comment"
    label={form.name}
    description={form.nameHint}
    defaultValue={token?.comment ?? ''}
    maxLength={256}
    autoComplete="off"
    error={errorOf('comment')}
    data-autofocus
  />
)

/** What a token may do, by what it is about; nothing is given that was not chosen. */
function ScopesField({ token, errorOf }: FieldProps) {
  const [held, setHeld] = useState<ReadonlySet<Scope>>(() => new Set(token?.scopes.filter(isScope)))
  const error = errorOf('scopes')
  const id = useId()
  return (
    <fieldset className="group">
      <legend>{form.scopes}</legend>
      <div className="actions">
        {(['all', 'read', 'none'] as const).map((preset) => (
          <Button key={preset} variant="default" size="compact-sm" onClick={() => setHeld(presets[preset])}>
            {form.presets[preset]}
          </Button>
        ))}
      </div>
      {error ? (
        <p id={id} className="wrong">
          {error}
        </p>
      ) : null}
      {scopeGroups.map(({ title, rows }) => (
        <fieldset key={title} className={styles.scopes}>
          <legend>{title}</legend>
          {rows.map((row) => (
            <ScopeLine
              key={row.name}
              row={row}
              held={held}
              wrong={error ? id : undefined}
              onChange={(scope, isOn) => setHeld((before) => withScope(before, scope, isOn))}
            />
          ))}
        </fieldset>
      ))}
    </fieldset>
  )
}

type LineProps = {
  row: ScopeRow
  held: ReadonlySet<Scope>
  /** The id of what says that the choice is wrong. */
  wrong: string | undefined
  onChange: (scope: Scope, isOn: boolean) => void
}

/** Two boxes stand close together in each line: each is as large as a finger needs. */
const touchable = () => ({ root: { '--checkbox-size': '24px' } })

function ScopeLine({ row: { label, read, write }, held, wrong, onChange }: LineProps) {
  const box = (scope: Scope | undefined, name: string, shown: string) =>
    scope ? (
      <Checkbox
        name="scopes"
        value={scope}
        label={shown}
        aria-label={name}
        vars={touchable}
        {...(wrong && { 'aria-invalid': true, 'aria-describedby': wrong })}
        checked={held.has(scope)}
        onChange={(event) => onChange(scope, event.currentTarget.checked)}
      />
    ) : (
      <span />
    )
  return (
    <div className={styles.scope}>
      <span>{label}</span>
      {box(read, form.readNamed(label), form.read)}
      {box(write, form.writeNamed(label), form.write)}
    </div>
  )
}
