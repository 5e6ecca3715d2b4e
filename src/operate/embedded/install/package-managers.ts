/** How a system's package manager installs the two servers. */
export interface PackageManager {
  command: string;
  /** Arguments before the packages. */
  install: string[];
  /** Fetches the package lists, if that is a separate step. */
  update?: string[];
  env?: Record<string, string>;
  /** Whether it must run as root; Homebrew refuses root. */
  asRoot: boolean;
  /** Sets of packages; the first set that is available is installed. */
  packages: Record<StoreName, string[][]>;
}

export type StoreName = 'mysql' | 'redis';

/** The name of each store in messages. */
export const STORE_LABELS: Record<StoreName, string> = {
  mysql: 'MariaDB 10.6 (or MySQL 8.0) or later',
  redis: 'Redis 6.2 or later',
};

/**
 * The known package managers, in the order of the search. The packages bring no system service, or none that the
 * installation starts or enables: on Debian and Ubuntu the `-core` packages and `redis-tools` (which contains the
 * server too); the other systems leave services disabled.
 */
export const PACKAGE_MANAGERS: PackageManager[] = [
  {
    command: 'apt-get',
    install: ['-y', '-q', '-o', 'DPkg::Lock::Timeout=120', 'install', '--no-install-recommends'],
    update: ['-q', '-o', 'Acquire::Retries=2', 'update'],
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    asRoot: true,
    packages: {
      mysql: [
        ['mariadb-server-core', 'mariadb-client-core'],
        ['mariadb-server-core-10.6', 'mariadb-client-core-10.6'],
        ['mysql-server-core-8.4'],
        ['mysql-server-core-8.0'],
        ['mysql-server-core'],
      ],
      redis: [['redis-tools'], ['valkey-tools']],
    },
  },
  {
    command: 'dnf',
    install: ['install', '-y', '--setopt=install_weak_deps=False'],
    asRoot: true,
    packages: { mysql: [['mariadb-server'], ['mysql-server']], redis: [['redis'], ['valkey']] },
  },
  {
    command: 'apk',
    install: ['add', '--no-cache'],
    asRoot: true,
    packages: { mysql: [['mariadb', 'mariadb-client']], redis: [['redis'], ['valkey']] },
  },
  {
    command: 'pacman',
    install: ['-S', '--noconfirm', '--needed'],
    asRoot: true,
    packages: { mysql: [['mariadb']], redis: [['valkey'], ['redis']] },
  },
  {
    command: 'zypper',
    install: ['--non-interactive', 'install', '--no-recommends'],
    asRoot: true,
    packages: { mysql: [['mariadb']], redis: [['redis'], ['valkey']] },
  },
  {
    command: 'brew',
    install: ['install'],
    asRoot: false,
    packages: { mysql: [['mariadb']], redis: [['redis'], ['valkey']] },
  },
];
