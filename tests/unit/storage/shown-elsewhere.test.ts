import { expect, it } from 'vitest'
import { mountsIn, shownElsewhere } from '../../../src/storage/local/system/mounts.ts'

const MOUNTS = mountsIn(
  [
    '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
    '23 22 8:2 /@data /var/lib rw - btrfs /dev/sdb rw',
    '24 22 8:2 /@data/filemgr/uploads /srv/a\\040part rw - btrfs /dev/sdb rw',
    '25 22 8:2 /@data/filemgr2 /srv/other rw - btrfs /dev/sdb rw',
    '26 22 8:1 /srv/keys/tls.key /srv/innocent rw - ext4 /dev/sda1 rw',
    '29 22 8:1 /srv /mnt/all rw - ext4 /dev/sda1 rw',
    '30 22 8:2 / /mnt/disk rw - btrfs /dev/sdb rw',
    '31 30 8:3 / /mnt/disk/@data/filemgr2 rw - ext4 /dev/sdc rw',
    '27 22 0:5 / /proc rw - proc proc rw',
    '28 22 0:5 / /srv/jail/proc rw - proc proc rw',
  ].join('\n'),
)

it.each([
  ['/var/lib/filemgr', ['/srv/a part', '/mnt/disk/@data/filemgr']],
  ['/srv/keys', ['/srv/innocent', '/mnt/all/keys']],
  ['/srv/keys/tls.key', ['/srv/innocent', '/mnt/all/keys/tls.key']],
  ['/var/lib/filemgr2', ['/srv/other']],
  ['/proc', ['/srv/jail/proc']],
  ['/home/of/nobody', []],
])('finds where other mounts also show %s or parts of it', (folder, places) => {
  expect(shownElsewhere(folder, MOUNTS)).toEqual(places)
})
