#!/bin/sh
# Makes the secrets of compose.yaml in deploy/docker/secrets. A secret that is there already is kept.
# The folder is for its owner alone (0700). The files in it can be read by all, because a container sees only its files, as
# a user of its own.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
chmod 700 secrets

digits() {
  od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'
}

secret() {
  if [ -e "secrets/$1" ]; then
    echo "kept: secrets/$1"
    return
  fi
  printf '%s\n' "$2" > "secrets/$1.new"
  chmod 644 "secrets/$1.new"
  mv "secrets/$1.new" "secrets/$1"
  echo "made: secrets/$1"
}

secret database_root_password "$(digits 24)"
secret database_password "$(digits 24)"
secret database_url "mysql://fabula:$(cat secrets/database_password)@mysql:3306/fabula"
secret encryption_key "$(digits 32)"
secret admin_password "$(digits 16)"
secret metrics_token "$(digits 16)"
secret grafana_password "$(digits 16)"
echo "Keep a copy of secrets/encryption_key: nothing else decrypts the credentials of stories."
