import { findOutsideLinks } from '../../../platform/served-root.ts'
import { advice, fault, skip, type Check, type Scene } from '../check.ts'

export const linksCheck: Check = {
  name: 'links',
  title: 'Symbolic links that leave the served folder',
  async run({ options: { root, followExternalSymlinks } }: Scene) {
    const found = await findOutsideLinks(root).catch(() => undefined)
    if (found === undefined) return skip('there is no served folder')
    return found.links.map((link) =>
      followExternalSymlinks
        ? fault(
            `users get out of the served folder by ${link}`,
            'remove it, or filemgr server unset followExternalSymlinks',
          )
        : advice(
            `${link} leads out of the served folder and is not followed`,
            'move the files in, or mount them there',
          ),
    )
  },
}
