import type { Form } from '../../hooks/use-form.ts'
import { useMessages } from '../../provider.tsx'
import { Hidden, Submit } from '../form-parts.tsx'
import { PictureField, type PictureFieldProps } from './picture-field.tsx'

type Props = Pick<PictureFieldProps, 'id' | 'label' | 'owner' | 'image' | 'refusalText'> & {
  /** The form that uploads the file `picture`, and the one that removes the present picture. */
  upload: Form
  removal: Form
  /** Where both post without JavaScript. */
  action: string
}

/** A picture that is saved as soon as it is cropped, and the button that removes it. */
export function PictureForms({ upload, removal, action, ...field }: Props) {
  const texts = useMessages('picture')
  const { picture: refused } = upload.state.fields ?? {}
  return (
    <PictureField
      {...field}
      name="picture"
      error={refused && field.refusalText(refused)}
      isBusy={upload.busy}
      onPick={(input) => input.form?.requestSubmit()}
      wrap={(input) => (
        <form {...upload.props} action={action} encType="multipart/form-data">
          <Hidden form={upload.name} />
          {input}
        </form>
      )}
      submit={
        <Submit form={upload} look="secondary" busyLabel={texts.uploading}>
          {texts.save}
        </Submit>
      }
      remove={
        field.image ? (
          <form {...removal.props} action={action}>
            <Hidden form={removal.name} />
            <Submit form={removal} look="secondary" busyLabel={texts.remove}>
              {texts.remove}
            </Submit>
          </form>
        ) : null
      }
    />
  )
}
