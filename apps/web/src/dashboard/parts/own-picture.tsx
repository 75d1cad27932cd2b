import { useDashboard } from '../context.ts'
import { Initials } from './initials.tsx'

/**
 * The picture of the viewer or of their organization, or the initials. Only of this server: others are drawn as initials,
 * because their servers learn who looks and when.
 */
export function OwnPicture({ name, image }: { name: string; image: string | null }) {
  const { origin } = useDashboard()
  if (!image || !isOf(origin, image)) return <Initials name={name} />
  return (
    <span className="initials" aria-hidden="true">
      <img src={image} alt="" />
    </span>
  )
}

const isOf = (origin: string, image: string): boolean => {
  try {
    return new URL(image, origin).origin === new URL(origin).origin
  } catch {
    return false
  }
}
