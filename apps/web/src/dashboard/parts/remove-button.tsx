import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSeller } from '../context.ts'
import { ActionDialog } from './action-dialog.tsx'

export type RemoveWords = {
  readonly button: string
  readonly title: (name: string) => string
  readonly text: string
  readonly done: (name: string) => string
}

type Props = {
  words: RemoveWords
  name: string
  remove: () => Promise<unknown>
  /** Leaves the page, which is about what is gone. */
  onRemoved: () => unknown
}

/** Deletes what a page is about, after it has been said what that means. */
export function RemoveButton({ words, name, remove, onRemoved }: Props) {
  const { queries } = useSeller()
  const [isAsking, asking] = useDisclosure()
  return (
    <>
      <Button variant="outline" color="red" onClick={asking.open}>
        {words.button}
      </Button>
      <ActionDialog
        opened={isAsking}
        onClose={asking.close}
        title={words.title(name)}
        text={words.text}
        submit={words.button}
        danger
        invalidates={false}
        run={async () => {
          await remove()
          // The lists are read again when they are shown; this page, which is about what is gone, is not.
          await queries.invalidateQueries({ queryKey: ['billing'], refetchType: 'none' })
          void onRemoved()
          return words.done(name)
        }}
      />
    </>
  )
}
