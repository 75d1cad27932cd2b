import { Avatar } from './avatar.tsx'

/** An organization's picture and name, where a page of the installation itself has the installation's mark. */
export function OrganizationMark({ name, image }: { name: string; image: string | null }) {
  return (
    <>
      <Avatar name={name} image={image} />
      <span>{name}</span>
    </>
  )
}
