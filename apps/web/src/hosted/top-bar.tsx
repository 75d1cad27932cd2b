import { defaultPaths, GateMark, UserButton, type UserButtonProps } from '@tollgate/react'

/** The top bar of signed-in pages: skip link, home, and sign-out. */
export function TopBar({
  appName,
  logo,
  skip,
  administers,
  menuLinks,
}: {
  appName: string
  logo?: string | undefined
  skip: string
  administers?: boolean | undefined
  menuLinks: NonNullable<UserButtonProps['links']>
}) {
  return (
    <div className="top">
      <a href="#tg-title" className="skip">
        {skip}
      </a>
      <a href={defaultPaths.home} className="brand">
        {logo === undefined ? <GateMark /> : <img src={logo} alt="" data-tg="logo" />}
        <span>{appName}</span>
      </a>
      <UserButton administers={administers} links={menuLinks} />
    </div>
  )
}
