import { Button, Checkbox, TextInput } from '@mantine/core'
import { isUnknownToSdk, type WebhookEventType } from '@tollgate/contract/events'
import { type ReactNode, useId, useState } from 'react'
import { useSeller } from '../../context.ts'
import styles from './webhook-event-picker.module.css'
import { billingTypes, groupsOf, offeredTypes, withType } from './webhook-events.ts'
import { webhookWords } from './webhooks.texts.ts'

const words = webhookWords.events

type Props = {
  label: string
  chosen: readonly WebhookEventType[]
  onChange: (chosen: readonly WebhookEventType[]) => void
  coversInstallation: boolean
  mayWrite: boolean
  error: ReactNode
}

/** Chooses events, by what they are about. */
export function EventPicker({ label, chosen, onChange, coversInstallation, mayWrite, error }: Props) {
  const [search, setSearch] = useState('')
  const id = useId()
  const { may } = useSeller()
  const types = offeredTypes({ chosen, coversInstallation, readsAudit: may('audit', 'read') })
  const groups = groupsOf(types, search)
  const count = types.filter((type) => chosen.includes(type)).length
  return (
    <fieldset className={styles.picker}>
      <legend className="visually-hidden">{label}</legend>
      <div className={styles.tools}>
        <TextInput
          type="search"
          aria-label={words.search}
          placeholder={words.find}
          autoComplete="off"
          maxLength={100}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          // The form is saved by its button.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        {mayWrite ? (
          <div className="actions">
            <Button variant="default" onClick={() => onChange([...new Set([...chosen, ...billingTypes])])}>
              {words.billing}
            </Button>
            <Button variant="default" onClick={() => onChange([])}>
              {words.none}
            </Button>
          </div>
        ) : null}
        <span role="status" className="quiet">
          {words.chosen(count, types.length)}
        </span>
      </div>
      <p className="quiet">{words.unknownHint}</p>
      {error ? (
        <p id={id} className="wrong">
          {error}
        </p>
      ) : null}
      {groups.length === 0 ? <p className="quiet">{words.noMatch}</p> : null}
      <div className={styles.groups}>
        {groups.map(({ title, types: members }) => (
          <fieldset key={title} className={styles.group}>
            <legend>{title}</legend>
            {members.map((type) => (
              <Checkbox
                key={type}
                label={
                  <>
                    <code>{type}</code>
                    {isUnknownToSdk(type) ? (
                      <>
                        <span aria-hidden>{' *'}</span>
                        <span className="visually-hidden">{words.unknown}</span>
                      </>
                    ) : null}
                  </>
                }
                checked={chosen.includes(type)}
                {...(error && { 'aria-invalid': true, 'aria-describedby': id })}
                onChange={(event) => mayWrite && onChange(withType(chosen, type, event.currentTarget.checked))}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
