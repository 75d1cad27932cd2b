import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ErrorOf } from '../parts/form-errors.ts'
import { Panel } from '../parts/panel.tsx'
import { settingsWords } from './settings.texts.ts'
import { addSocial, type SocialLine } from './settings-draft.ts'

const words = settingsWords.socials
const platforms = Object.entries(words.platforms).map(([value, label]) => ({ value, label }))
/** As many as the server takes. */
const mostSocials = 20

type Props = {
  socials: readonly SocialLine[]
  onChange: (socials: readonly SocialLine[]) => void
  errorOf: ErrorOf
}

/** Where else the organization can be found. */
export function SocialsField({ socials, onChange, errorOf }: Props) {
  const add = useRef<HTMLButtonElement>(null)
  const change = (key: number, changes: Partial<SocialLine>) =>
    onChange(socials.map((line) => (line.key === key ? { ...line, ...changes } : line)))
  return (
    <Panel title={words.title}>
      <div className="panel-fields">
        {socials.length === 0 ? <p className="quiet">{words.none}</p> : null}
        {socials.length > 0 ? (
          <ul className="fields">
            {socials.map(({ key, platform, url }, index) => (
              <li key={key} className="social">
                <NativeSelect
                  aria-label={words.platform(index + 1)}
                  data={platforms}
                  value={platform}
                  error={errorOf(`socials.${index}.platform`)}
                  onChange={(event) => change(key, { platform: event.currentTarget.value as typeof platform })} // one of its options
                />
                <TextInput
                  type="url"
                  aria-label={words.url(index + 1)}
                  placeholder={words.placeholder}
                  autoComplete="off"
                  value={url}
                  error={errorOf(`socials.${index}.url`)}
                  onChange={(event) => change(key, { url: event.currentTarget.value })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={32}
                  aria-label={words.remove(index + 1)}
                  onClick={() => {
                    onChange(socials.filter((line) => line.key !== key))
                    // The button that had the focus is gone.
                    add.current?.focus()
                  }}
                >
                  <IconX size={16} stroke={1.6} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        ) : null}
        {socials.length < mostSocials ? (
          <div>
            <Button
              ref={add}
              variant="default"
              size="compact-md"
              leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
              onClick={() => onChange(addSocial(socials))}
            >
              {words.add}
            </Button>
          </div>
        ) : null}
      </div>
    </Panel>
  )
}
