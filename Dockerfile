# ezdl with the pipeline, in the versions of config/constraints.txt. In the folder for the results:
#     docker build --tag ezdl FOLDER_OF_THIS_FILE
#     docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" ezdl
# runs all experiments, and any command of ezdl can follow, as in `ezdl plan --profile ci`.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/ezdl \
    && /opt/ezdl/bin/pip install --no-cache-dir --constraint config/constraints.txt --upgrade pip \
    && /opt/ezdl/bin/pip install --no-cache-dir --constraint config/constraints.txt \
        --build-constraint config/constraints.txt '.[pipeline,pdf]'

FROM python:3.13-slim
COPY --from=build /opt/ezdl /opt/ezdl
# Folders that any user can write to. Machine code is compiled for the processor on which it runs, so
# it is not part of the image; mount a volume at /cache to keep it.
RUN mkdir --mode=1777 /cache /work
ENV PATH=/opt/ezdl/bin:$PATH \
    HOME=/cache \
    EZDL_CACHE_DIR=/cache/ezdl
# Nobody.
USER 65534
WORKDIR /work
ENTRYPOINT ["ezdl"]
CMD ["run"]
