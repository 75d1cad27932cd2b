import { NativeSelect, TextInput } from '@mantine/core'
import type { ErrorOf } from '../../parts/form-errors.ts'
import { Lines } from '../../parts/lines.tsx'
import { Panel } from '../../parts/panel.tsx'
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
export const SocialsField = ({ socials, onChange, errorOf }: Props) => (
  <Panel title={words.title}>
    <div className="panel-fields">
      <Lines
        lines={socials}
        onChange={onChange}
        add={addSocial}
        words={{ ...words, remove: (_, number) => words.remove(number) }}
        look="social"
        most={mostSocials}
      >
        {({ platform, url }, change, index) => (
          <>
            <NativeSelect
              aria-label={words.platform(index + 1)}
              data={platforms}
              value={platform}
              error={errorOf(`socials.${index}.platform`)}
              onChange={(event) => change({ platform: event.currentTarget.value as typeof platform })} // one of its options
            />
            <TextInput
              type="url"
              aria-label={words.url(index + 1)}
              placeholder="https://"
              autoComplete="off"
              value={url}
              error={errorOf(`socials.${index}.url`)}
              onChange={(event) => change({ url: event.currentTarget.value })}
            />
          </>
        )}
      </Lines>
    </div>
  </Panel>
)
