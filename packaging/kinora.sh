#!/bin/sh
# Runs a command of Kinora with the settings and the user of the service: `kinora doctor`. Written by `kinora service install`.
case ${1-} in
  service | push) exec /opt/kinora/bin/kinora "$@" ;;
esac
exec systemd-run --quiet --pipe --wait --collect --uid=kinora --working-directory=/opt/kinora \
  --property=EnvironmentFile=/etc/kinora.env --property=UMask=0027 /opt/kinora/bin/kinora "$@"
