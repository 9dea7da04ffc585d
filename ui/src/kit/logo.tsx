import { Icon } from './icon.tsx'
import styles from './icon.module.css'

interface LogoProps {
  /** The picture that an administrator has put in place of ours. */
  picture: string | undefined
  size: 24 | 56
}

/** The logo of this installation. Decoration only: the name stands beside it. */
export function Logo({ picture, size }: LogoProps) {
  if (picture === undefined) return <Icon name="logo" size={size} />
  return <img className={styles['logo']} src={picture} height={size} alt="" />
}
